// What a driver's answers left owed, for people: a line for each.
import type {RunReport} from '../scenario/report.ts'
import {oneLine} from './escaped.ts'

/** Empty without timelines or volumes. */
export const answerLines = ({answers = []}: RunReport): readonly string[] => answers.map((answer) => oneLine(answerWords(answer)))

type Answer = NonNullable<RunReport['answers']>[number]

/** '120.050 NodeStageVolume of vol-data: DEADLINE_EXCEEDED, uncertain; owed: NodeUnstageVolume, due at 120.050 s; came at 120.150 s' */
function answerWords({at, method, volume, pod, outcome, class: kind, owed}: Answer): string {
  const whose = pod === undefined ? '' : ` for ${pod}`
  const what = `${seconds(at).padStart(10)} ${method} of ${volume}${whose}: ${outcome}, ${kind}`
  if (owed === undefined) return `${what}; nothing is owed`
  const {since, dueAt} = owed
  const from = since === at ? '' : ` since ${seconds(since)} s`
  const due = dueAt === undefined ? ', not due while a pod uses it' : `, due at ${seconds(dueAt)} s`
  return `${what}; owed${from}: ${owed.method}${due}${endWords(owed)}`
}

function endWords({dueAt, cameAt, letGoAt, openUntil}: NonNullable<Answer['owed']>): string {
  if (cameAt !== undefined) return `; came at ${seconds(cameAt)} s`
  if (letGoAt !== undefined) return `; never came: the kubelet let go of the volume at ${seconds(letGoAt)} s`
  if (dueAt === undefined || openUntil === undefined) return ''
  return `; had not come when the run ended, ${seconds(openUntil - dueAt)} s later`
}

const seconds = (ms: number): string => (ms / 1000).toFixed(3)
