// What a code means.

import {formatDuration} from './base/duration.ts'
import {UserError} from './base/errors.ts'
import type {Detector} from './findings/detector.ts'
import {detectors} from './findings/detectors.ts'
import {profileNearest} from './kubelet/profiles.ts'

/** @throws UserError when there is no such code. */
export function explain(code: string): Detector {
  const wanted = code.toUpperCase()
  const detector = detectors.find((each) => each.code === wanted || each.name === code.toLowerCase())
  if (detector === undefined) {
    const all = detectors.map((each) => `${each.code} ${each.name}`).join(', ')
    throw new UserError(`Cannot explain the code as it must be one of ${all}: it is '${code}'`)
  }
  return detector
}

export function explainText({code, name, severities, graceMs, needs, helpedBy, explain: about}: Detector): string {
  const needed = needs(profileNearest(undefined))
    .map((group) => group.join(' or '))
    .join('; ')
  return [
    `${code} ${name}`,
    '',
    about.what,
    '',
    about.how,
    '',
    'Severity',
    ...severities.map(({severity, when}) => `  ${severity}: ${when}`),
    `Grace: ${formatDuration(graceMs)}`,
    `Needs: ${needed || 'no source in particular'}.${helpedBy.length > 0 ? ` Helped by: ${helpedBy.join(', ')}.` : ''}`,
    '',
    'Looks the same and is healthy',
    ...about.lookAlikes.map((each) => `  - ${each}`),
    '',
    ...about.links,
  ].join('\n')
}
