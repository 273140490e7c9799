// What can be said of a driver's registration from outside. The kubelet's own list of drivers is in its memory only.
import {basename} from 'node:path'
import type {Reading} from '../reading.ts'
import type {Registration} from './sockets.ts'

export type Registered =
  /** Its registration answers, in a way that the kubelet accepts. */
  | {readonly state: 'yes'}
  /** `fails`: there is a registration, and this is wrong with it. */
  | {readonly state: 'no' | 'fails' | 'unknown'; readonly why: string}

interface RegisteredBy {
  readonly registered: Registered
  /** The registration's socket. */
  readonly registration?: string
}

export function isDriver({answer, type}: Registration): boolean {
  return answer.state === 'answers' && type === 'CSIPlugin'
}

/** node-driver-registrar and kubeletplugin call their sockets so. */
export function nameOfRegistrar(socket: string): string | undefined {
  return /^(.+)-reg\.sock$/.exec(basename(socket))?.[1]
}

/** Of a registration that answers. */
export function accepted({name, versions = []}: Registration, all: readonly Registration[]): Registered {
  // csi_plugin.go, validateVersions; versions before 1 are refused later, when the client is made.
  if (!versions.some((version) => /^\s*v?1\.\d/.test(version))) {
    return {state: 'fails', why: `the kubelet takes drivers of CSI 1.x: it supports ${versions.join(', ') || 'no version'}`}
  }
  const endpoints = new Set(all.filter((each) => isDriver(each) && each.name === name).map(({endpoint}) => endpoint))
  if (endpoints.size === 1) return {state: 'yes'}
  return {state: 'unknown', why: `the kubelet takes one registration of a name: ${endpoints.size} sockets are registered by this one`}
}

/** Of a driver whose socket no registration names. */
export function otherwiseRegistered(reading: Reading<readonly Registration[]>, name: string | undefined): RegisteredBy {
  if (reading.state !== 'read') return {registered: {state: 'unknown', why: reading.why}}
  const twin = reading.value.find((each) => isDriver(each) && each.name === name)
  if (twin)
    return {registered: {state: 'no', why: `by this name another socket is registered: ${twin.endpoint}`}, registration: twin.socket}
  const mute = reading.value.filter(({answer}) => answer.state !== 'answers')
  const own = mute.find(({socket}) => name !== undefined && nameOfRegistrar(socket) === name)
  if (own && own.answer.state !== 'answers') return {registered: {state: 'fails', why: own.answer.why}, registration: own.socket}
  const stranger = mute.find(({socket}) => name === undefined || nameOfRegistrar(socket) === undefined)
  if (stranger) return {registered: {state: 'unknown', why: `${stranger.socket} does not say whose registration it is`}}
  if (reading.incomplete !== undefined) return {registered: {state: 'unknown', why: reading.incomplete}}
  return {registered: {state: 'no', why: 'no registration names it'}}
}
