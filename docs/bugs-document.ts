// docs/bugs.md, made from the scenarios and the switches of the model, so that it says what they do.
import {detectors} from '../src/findings/detectors.ts'
import {profileOf, profileVersions} from '../src/kubelet/profiles.ts'
import type {Switch} from '../src/kubelet/switch.ts'
import {switches} from '../src/kubelet/switches.ts'
import {type Expected, type Scenario, versionsOf} from '../src/scenario/schema/scenario.ts'

export function bugsDocument(scenarios: readonly Scenario[]): string {
  const sorted = scenarios.toSorted((a, b) => compare(rank(a), rank(b)))
  return `${[introduction, overview(sorted), ...sorted.map(bugSection), changesSection(scenarios)].join('\n\n')}\n`
}

const introduction = `# Bugs of the kubelet

Made by \`npm run docs\` from the scenarios in fixtures/scenarios and the changes in src/kubelet/switches.ts: what is written here is what \`kubelimbo repro\` shows.
A verdict of *bug* is one of the model of that kubelet's version, *fixed* that it is not there. [scenarios.md](scenarios.md) tells how to write one.
Timings of ${profileVersions.filter((version) => !profileOf(version).observed).join(' and ')} are unobserved: they follow the sources, no real kubelet of these versions was watched.`

/** The labels of the documented bugs first, then the holes that are known by their issue. */
const rank = ({label, name}: Scenario): string => `${label.startsWith('#') ? 1 : 0} ${label} ${name}`

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

function overview(scenarios: readonly Scenario[]): string {
  return tableOf(
    ['label', 'scenario', ...profileVersions, '`check` says'],
    scenarios.map((scenario) => [
      scenario.label,
      `[${scenario.name}](#${scenario.name})`,
      ...profileVersions.map((version) => verdictWord(scenario, version)),
      scenario.finding?.codes.join(', ') ?? '-',
    ]),
  )
}

function bugSection(scenario: Scenario): string {
  const {name, label, title, why, issues} = scenario
  const kubelets = (verdict: Expected['verdict']) =>
    profileVersions.filter((version) => expectedOf(scenario, version)?.verdict === verdict).join(', ')
  const facts = [
    `Kubelets with it: ${kubelets('reproduced')}${kubelets('fixed') === '' ? ', all that are modelled' : `; without it: ${kubelets('fixed')}`}.`,
    `Issues: ${issues.map(issueLink).join(', ')}.`,
    `On a node that has it: ${findingWords(scenario)}.`,
    `To see it: \`kubelimbo repro ${name}\`, with \`-v\` the timelines side by side${singleChange(scenario)}.`,
  ]
  return [`## ${name}`, `**${label}: ${title}.**`, why, facts.map((fact) => `- ${fact}`).join('\n'), ...changesOf(scenario)].join('\n\n')
}

function findingWords({finding}: Scenario): string {
  if (finding === undefined) return '`kubelimbo check` has no finding for it'
  const {codes, severity, at} = finding
  const named = codes.map((code) => `${code} ${detectors.find((each) => each.code === code)?.name ?? ''}`).join(' or ')
  const grave = severity === undefined ? '' : ` (${severity})`
  const when = typeof at === 'object' ? ', for a moment' : ''
  const explain = codes.map((code) => `\`kubelimbo explain ${code}\``).join(', ')
  return `\`kubelimbo check\` says ${named}${grave}${when}; ${explain} tells of what looks the same`
}

/** One change alone, on the newest kubelet that has the bug: a fix that it lacks, or else what brought the bug. */
function singleChange(scenario: Scenario): string {
  const version = profileVersions.findLast((each) => expectedOf(scenario, each)?.verdict === 'reproduced')
  if (version === undefined) return ''
  const own = profileOf(version).switches
  const all = switchesOf(scenario)
  const fix = all.find(({name}) => !own.has(name)) ?? all[0]
  if (fix === undefined) return ''
  const has = own.has(fix.name)
  return `; ${has ? 'without' : 'with'} one change alone: \`--profile ${version} --switch ${has ? '-' : '+'}${fix.name}\``
}

function changesOf(scenario: Scenario): readonly string[] {
  const own = switchesOf(scenario)
  return own.length === 0 ? [] : [`What changed:\n\n${switchTable(own)}`]
}

function changesSection(scenarios: readonly Scenario[]): string {
  const named = new Set<string>(scenarios.flatMap((scenario) => scenario.switches))
  const others = Object.values(switches).filter(({name}) => !named.has(name))
  return `## Other changes\n\nThat no scenario is about; \`--switch\` turns each of them, too.\n\n${switchTable(others)}`
}

const switchTable = (all: readonly Switch[]): string =>
  tableOf(
    ['switch', 'since', 'what', 'upstream'],
    all.map(({name, since, why, issue}) => [`\`${name}\``, since, why, issueLink(issue)]),
  )

const switchesOf = (scenario: Scenario) => scenario.switches.flatMap((name) => Object.values(switches).filter((each) => each.name === name))

function verdictWord(scenario: Scenario, version: string): string {
  return expectedOf(scenario, version)?.verdict === 'reproduced' ? '**bug**' : 'fixed'
}

function expectedOf({expect}: Scenario, version: string): Expected | undefined {
  return Object.entries(expect).find(([key]) => versionsOf(key).includes(version))?.[1] ?? expect.default
}

/** kubernetes/kubernetes#88440: GitHub leads from the number of an issue to the pull request that it may be. */
function issueLink(issue: string): string {
  const [, repository, number] = /^([\w.-]+\/[\w.-]+)#(\d+)$/.exec(issue) ?? []
  return number === undefined ? issue : `[#${number}](https://github.com/${repository}/issues/${number})`
}

function tableOf(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')
}
