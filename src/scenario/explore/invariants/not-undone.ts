// A stage or a publish that was done, or may have been, is undone when nobody uses the volume any more, and before the kubelet lets go of it.

import {causeOfLoss} from '../cause-of-loss.ts'
import {lastDisturbance} from '../disturbances.ts'
import type {Breach, Run, VolumeInvariant} from '../invariant.ts'
import {stuckAfter} from '../patience.ts'
import type {Debt, Inverse, VolumeLife} from '../volume-lives.ts'

export const stageNotUndone: VolumeInvariant = {
  name: 'stage-not-undone',
  says: 'a stage that was done, or may have been, is followed by NodeUnstageVolume when no pod uses the volume, and before the kubelet lets go of it',
  check: (life, run) => notUndone('NodeUnstageVolume', life, run),
}

export const publishNotUndone: VolumeInvariant = {
  name: 'publish-not-undone',
  says: 'a publish that was done, or may have been, is followed by NodeUnpublishVolume when its pod is gone, and before the kubelet lets go of the volume',
  check: (life, run) => notUndone('NodeUnpublishVolume', life, run),
}

function notUndone(inverse: Inverse, life: VolumeLife, run: Run): readonly Breach[] {
  for (const debt of life.debts.filter((each) => each.inverse === inverse)) {
    const breach = letGo(debt, life, run) ?? left(debt, life, run)
    if (breach !== undefined) return [breach]
  }
  return []
}

const what = ({inverse}: Debt, {volume}: VolumeLife): string =>
  `volume ${volume} ${inverse === 'NodeUnstageVolume' ? 'is not unstaged' : 'is not unpublished'}`

function letGo(debt: Debt, life: VolumeLife, {events}: Run): Breach | undefined {
  const at = life.detached.find((each) => debt.begun < each && each < debt.ended)
  if (at === undefined) return undefined
  return {
    how: `let go${causeOfLoss(life, events, debt.begun, at)}`,
    at,
    target: debt.path,
    what: `${what(debt, life)} before the kubelet lets go of it`,
  }
}

function left(debt: Debt, life: VolumeLife, {events, end}: Run): Breach | undefined {
  if (debt.ended !== Number.POSITIVE_INFINITY || life.unusedSince === undefined) return undefined
  const last = debt.tries.at(-1)
  if (last !== undefined && last.endedAt === undefined) return undefined
  const since = Math.max(debt.begun, life.unusedSince, lastDisturbance(events, end), last?.endedAt ?? 0)
  if (end - since <= stuckAfter) return undefined
  const how = last === undefined ? 'never tried' : 'tried no more'
  return {
    how: `${how}${causeOfLoss(life, events, debt.begun, end)}`,
    at: since + stuckAfter,
    target: debt.path,
    what: `${what(debt, life)}: ${how}`,
  }
}
