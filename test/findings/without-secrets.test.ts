import {expect, test} from 'vitest'
import type {Finding} from '../../src/findings/finding.ts'
import type {Answer} from '../../src/findings/why/chain.ts'
import {answerWithoutSecrets, findingWithoutSecrets} from '../../src/findings/without-secrets.ts'

const told = 'mount -o username=u,password=hunter2 failed'
const subject = {kind: 'Pod', name: 'password=hunter2'} as const

test('findingWithoutSecrets takes secrets out of what others wrote, and leaves what tells findings apart', () => {
  const finding: Finding = {
    code: 'U01',
    name: 'stage-uncertain',
    severity: 'info',
    subject,
    message: told,
    evidence: [{source: 'kubelet.log', fact: told}],
    cause: null,
    remedy: [],
    links: [],
  }
  const shown = 'mount -o username=u,password=[redacted] failed'
  expect(findingWithoutSecrets(finding)).toEqual({...finding, message: shown, evidence: [{source: 'kubelet.log', fact: shown}]})
})

test('answerWithoutSecrets takes them out of every sentence', () => {
  const links = [{what: told, evidence: [{source: 'api.events', fact: told}]}]
  const answer: Answer = {subject, standing: 'stuck', summary: told, chains: [{links, next: [told], remedy: []}]}
  const {subject: same, ...rest} = answerWithoutSecrets(answer)
  expect(same).toEqual(subject)
  expect(JSON.stringify(rest)).not.toContain('hunter2')
  expect(JSON.stringify(rest).match(/\[redacted\]/g)).toHaveLength(4)
})
