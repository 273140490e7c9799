// An answer for people: the chain from the symptom to the root, what comes next, and what to run.
import {capitalised} from '../base/capitalised.ts'
import type {Answer, Chain, Link} from '../findings/why/chain.ts'
import type {WhyReport} from '../findings/why/report.ts'
import {dataText} from './data.ts'
import {oneLine} from './escaped.ts'
import {unseenLines} from './unseen-text.ts'

export async function renderWhy(report: WhyReport, output: 'table' | 'json' | 'yaml'): Promise<string> {
  return output === 'table' ? `${whyText(report)}\n` : dataText(report, output)
}

function whyText({answers, unseen, metadata}: WhyReport): string {
  const node = metadata.node === '' ? 'this node' : `node ${oneLine(metadata.node)}`
  return [
    `${node} at ${metadata.when}`,
    ...answers.map(answerText),
    ...(unseen.length === 0 ? [] : ['', 'Not seen, so that a cause may lie there:', ...unseenLines(unseen)]),
  ].join('\n')
}

function answerText({summary, chains}: Answer): string {
  return ['', oneLine(summary), ...chains.map((chain, index) => chainText(chain, chains.length === 1 ? undefined : index + 1))].join('\n')
}

function chainText({links, next, remedy}: Chain, number: number | undefined): string {
  const lines = links.flatMap((link, index) => linkText(link, index, links.length))
  return [
    '',
    ...(number === undefined ? [] : [`Reason ${number}`]),
    ...lines,
    ...(next.length === 0 ? [] : ['', '  What the kubelet does next', ...next.map((each) => `    - ${oneLine(capitalised(each))}`)]),
    ...(remedy.length === 0
      ? []
      : [
          '',
          '  What to run',
          ...remedy.map(
            ({command, why, loses}) =>
              `    $ ${oneLine(command)}\n        ${oneLine(why)}${loses === null ? '' : `; loses ${oneLine(loses)}`}`,
          ),
        ]),
  ].join('\n')
}

function linkText({what, since, evidence, finding}: Link, index: number, count: number): string[] {
  const place = index === 0 ? '  ' : `  ${'  '.repeat(index - 1)}└─ `
  const margin = ' '.repeat(place.length)
  const title = finding === undefined ? '' : `${finding.severity.toUpperCase()} ${finding.code} ${finding.name}: `
  const root = index === count - 1 && index > 0 ? ' [root]' : ''
  return [
    `${place}${title}${oneLine(what)}${root}`,
    ...(since === undefined ? [] : [`${margin}  since ${since}`]),
    ...evidence.map(({source, fact}) => `${margin}  ${source}: ${oneLine(fact)}`),
  ]
}
