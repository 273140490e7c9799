// The lists of a captured node, filtered as the runtime would have done it (containerd, internal/cri/server/*_list.go).
import type {Container, PodSandbox} from '../wire/gen/cri_pb.ts'
import type {RuntimeLists} from './cri.ts'
import {mapReading, read} from './reading.ts'
import type {Readings} from './snapshot.ts'

export function capturedLists(readings: Pick<Readings, 'runtime.sandboxes' | 'runtime.containers'>): RuntimeLists {
  const {'runtime.sandboxes': sandboxes, 'runtime.containers': containers} = readings
  const sandboxIds = sandboxes.state === 'read' ? sandboxes.value.map(({id}) => id) : []
  return {
    sandboxes: async ({id, state, labels} = {}) =>
      mapReading(sandboxes, (all) => {
        const whole = id && wholeId(id, sandboxIds)
        return all.filter(
          (sandbox) => (!whole || sandbox.id === whole) && (state === undefined || sandbox.state === state) && hasLabels(sandbox, labels),
        )
      }),
    containers: async ({id, sandboxId, state, labels} = {}) =>
      mapReading(containers, (all) => {
        const ids = all.map((container) => container.id)
        const whole = id && wholeId(id, ids)
        const pod = sandboxId && wholeId(sandboxId, [...sandboxIds, ...all.map(({podSandboxId}) => podSandboxId)])
        return all.filter(
          (container) =>
            (!whole || container.id === whole) &&
            (!pod || container.podSandboxId === pod) &&
            (state === undefined || container.state === state) &&
            hasLabels(container, labels),
        )
      }),
    // Nobody captures images; the containers tell the names of those that they use.
    imageId: async (name) =>
      containers.state === 'read' ? read(containers.value.find((container) => imageNames(container).includes(name))?.imageRef) : containers,
  }
}

/** An unfinished id stands for the one that begins so; for none when several do. */
export function wholeId(id: string, ids: readonly string[]): string {
  if (ids.includes(id)) return id
  const [only, ...more] = new Set(ids.filter((candidate) => candidate.startsWith(id)))
  return only !== undefined && more.length === 0 ? only : id
}

function hasLabels({labels}: PodSandbox | Container, wanted: Readonly<Record<string, string>> = {}): boolean {
  return Object.entries(wanted).every(([key, value]) => Object.hasOwn(labels, key) && labels[key] === value)
}

function imageNames({image, imageRef, imageId}: Container): readonly string[] {
  return [image?.image ?? '', image?.userSpecifiedImage ?? '', imageRef, imageId].filter((name) => name !== '')
}
