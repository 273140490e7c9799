// The calls that we can read, by what a rule says of them.
import type {DescMethod, DescService} from '@bufbuild/protobuf'
import {ImageService, RuntimeService} from '../../wire/gen/cri_pb.ts'
import {ImageService as OldImageService, RuntimeService as OldRuntimeService} from '../../wire/gen/cri-v1alpha2_pb.ts'
import {Controller, Identity, Node} from '../../wire/gen/csi_pb.ts'
import {Registration} from '../../wire/gen/registration_pb.ts'
import {calleeOf} from '../match/callee.ts'
import {isLike} from '../match/glob.ts'
import {matchesHead} from '../match/matches.ts'
import type {Match} from '../rule.ts'

const services: readonly DescService[] = [
  RuntimeService,
  ImageService,
  OldRuntimeService,
  OldImageService,
  Identity,
  Node,
  Controller,
  Registration,
]

export const serviceNames: readonly string[] = services.map(({typeName}) => typeName)

/** Calls that there are, and that we pass without reading them. */
export const unreadMethods: readonly string[] = [
  'ControllerGetVolume',
  'GetSnapshot',
  'GroupControllerGetCapabilities',
  'CreateVolumeGroupSnapshot',
  'DeleteVolumeGroupSnapshot',
  'GetVolumeGroupSnapshot',
]

/** All that the rule may be about, whatever its method. */
export const methodsFor = ({to, service}: Pick<Match, 'to' | 'service'>): readonly DescMethod[] =>
  services
    .filter(({typeName}) =>
      matchesHead(
        {...(to === undefined ? {} : {to}), ...(service === undefined ? {} : {service})},
        {to: calleeOf(typeName), service: typeName, method: ''},
      ),
    )
    .flatMap(({methods}) => methods)

/** Of a rule for all calls there are none: it is about calls that we do not know, too. */
export const methodsLike = (match: Match): readonly DescMethod[] =>
  isForAll(match) ? [] : methodsFor(match).filter(({name}) => match.method === undefined || isLike(name, match.method))

export const isForAll = ({to, service = '*', method = '*'}: Match): boolean => to === undefined && service === '*' && method === '*'
