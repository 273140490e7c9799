// A finding for people: what, the evidence, the next command.
import type {Finding, Subject} from '../findings/finding.ts'
import {oneLine} from './escaped.ts'

export function findingText(finding: Finding): string {
  const lines = [
    `${finding.severity.toUpperCase()} ${finding.code} ${finding.name}${finding.known ? ' (known)' : ''}`,
    `  ${oneLine(finding.message)}`,
    ...(finding.since === undefined ? [] : [`  Since: ${finding.since}`]),
    ...(finding.cause === null ? [] : [`  Follows from: ${finding.cause.code} ${subjectText(finding.cause.subject)}`]),
    ...(finding.next === undefined ? [] : [`  Next: ${oneLine(finding.next)}`]),
    ...finding.evidence.map(({source, fact}) => `    ${source}: ${oneLine(fact)}`),
    ...finding.remedy.map(
      ({command, why, loses}) => `  $ ${oneLine(command)}\n      ${oneLine(why)}${loses === null ? '' : `; loses ${oneLine(loses)}`}`,
    ),
  ]
  return lines.join('\n')
}

/** 'Volume default/pv1 /var/lib/kubelet/…': as short as still tells it from another of its code. */
export function subjectText({kind, namespace, name, pod, driver, path, handle, id, uid, podUid}: Subject): string {
  const named = [namespace, name ?? pod].filter((part) => part !== undefined).join('/')
  const words = [kind, named || driver, path ?? handle ?? id ?? uid ?? podUid]
  return oneLine(words.filter((word) => word !== undefined).join(' '))
}
