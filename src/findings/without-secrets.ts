// What others wrote is told in reports: of a bundle it is redacted already, of a live node it is here. Reports get into tickets and logs of CI.
import {mark} from '../node/redaction/mark.ts'
import {redactText} from '../node/redaction/text.ts'
import type {Evidence, Finding} from './finding.ts'
import type {Answer, Link} from './why/chain.ts'

const text = (written: string): string => redactText(written, () => mark)

export function findingWithoutSecrets(finding: Finding): Finding {
  return {...finding, message: text(finding.message), evidence: finding.evidence.map(factWithoutSecrets)}
}

export function answerWithoutSecrets(answer: Answer): Answer {
  return {
    ...answer,
    summary: text(answer.summary),
    chains: answer.chains.map((chain) => ({...chain, links: chain.links.map(linkWithoutSecrets), next: chain.next.map(text)})),
  }
}

const linkWithoutSecrets = (link: Link): Link => ({...link, what: text(link.what), evidence: link.evidence.map(factWithoutSecrets)})

const factWithoutSecrets = ({source, fact}: Evidence): Evidence => ({source, fact: text(fact)})
