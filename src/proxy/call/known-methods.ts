// The methods whose messages can be read: those that src/wire's .proto files have.
import type {DescMessage, DescMethod, DescService} from '@bufbuild/protobuf'
import {ImageService, RuntimeService} from '../../wire/gen/cri_pb.ts'
import {ImageService as AlphaImageService, RuntimeService as AlphaRuntimeService} from '../../wire/gen/cri-v1alpha2_pb.ts'
import {Controller, Identity, Node} from '../../wire/gen/csi_pb.ts'
import {Registration} from '../../wire/gen/registration_pb.ts'
import {type CalledMethod, calledMethod} from './call-head.ts'

export interface KnownMethod {
  readonly called: CalledMethod
  readonly input: DescMessage
  readonly output: DescMessage
  /** The answer is a stream of messages. */
  readonly streams: boolean
}

const services: readonly DescService[] = [
  RuntimeService,
  ImageService,
  AlphaRuntimeService,
  AlphaImageService,
  Identity,
  Node,
  Controller,
  Registration,
]

const methods = new Map<string, KnownMethod>(
  services.flatMap((service) =>
    service.methods.map(({name, input, output, methodKind}: DescMethod) => {
      const path = `/${service.typeName}/${name}`
      return [path, {called: calledMethod(path), input, output, streams: methodKind !== 'unary'}]
    }),
  ),
)

/** @param path '/csi.v1.Node/NodeStageVolume' */
export function knownMethod(path: string): KnownMethod | undefined {
  return methods.get(path)
}

export function knownMethods(): Iterable<KnownMethod> {
  return methods.values()
}
