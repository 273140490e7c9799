// docs/recipes.md, made from the recipes, so that it says what `inject` prints.
import {explain} from '../src/faults/explain.ts'
import {switches} from '../src/kubelet/switches.ts'
import {type KubeletWords, listed, modeWords} from '../src/proxy/recipes/kubelet-words.ts'
import type {Aim, Recipe, RecipeRule} from '../src/proxy/recipes/recipe.ts'
import {type Narrowing, rulesOf} from '../src/proxy/recipes/rules-of.ts'

export function recipesDocument(recipes: readonly Recipe[]): string {
  return `${[introduction, overview(recipes), ...recipes.map(section)].join('\n\n')}\n`
}

const introduction = `# Recipes

Made by \`npm run docs\` from the recipes in src/proxy/recipes: what is written here is what \`kubelimbo inject RECIPE\` prints for the kubelet that it finds.

A recipe is a fault by its intent. \`kubelimbo inject stage-lost --pvc default/data --for 5m\` finds the volume, its handle, its driver and the driver's socket, says what it found
and what a kubelet of this version will do about it, and how to see that, and takes the socket over for five minutes ([inject.md](inject.md)); with \`--listen unix:///tmp/csi.sock\` it stands on a path of its own. A claim is found at the API server where there are credentials (\`--kubeconfig\`, \`$KUBECONFIG\`, the kubelet's own), else
by the directories of the pods that use it. What cannot be found can be said: \`--driver NAME --request volumeId=HANDLE\`, and \`--socket unix:///PATH\` for the socket.

What a kubelet does is told by its changes, the switches of the model ([bugs.md](bugs.md) has all of them): *with* one, or *without* it. Timings are those of
real kubelets up to 1.26.5 and otherwise of the sources; a test plays the recipes about volumes and pods on the model of each version and holds the sentences against what it does.`

const aims: Readonly<Record<Aim, {readonly flag: string; readonly narrowing: Narrowing}>> = {
  pvc: {flag: '--pvc NAMESPACE/NAME', narrowing: {request: {volumeId: 'HANDLE'}}},
  driver: {flag: '--driver NAME', narrowing: {}},
  pod: {flag: '--pod NAMESPACE/NAME', narrowing: {pod: 'NAMESPACE/NAME'}},
  container: {flag: 'CONTAINER', narrowing: {request: {containerId: 'ID'}}},
  runtime: {flag: '', narrowing: {}},
}

function overview(recipes: readonly Recipe[]): string {
  return tableOf(
    ['recipe', 'aims at', 'what it does', 'to', 'scenario'],
    recipes.map((recipe) => [
      `[${recipe.name}](#${recipe.name})`,
      aims[recipe.aim].flag === '' ? 'the node' : `\`${aims[recipe.aim].flag}\``,
      recipe.summary,
      [...new Set(recipe.rules.map(methodOf))].join(', '),
      recipe.scenario === undefined ? '-' : scenarioLink(recipe.scenario),
    ]),
  )
}

const methodOf = ({method, to}: RecipeRule): string => method ?? (to === 'csi' ? "the driver's socket" : 'all calls')

function section(recipe: Recipe): string {
  const {name, summary, aim, mayCome, kubelet, see, issues, scenario} = recipe
  const rules = rulesOf(recipe, aims[aim].narrowing).map((rule) => `- ${explain(rule)}`)
  const more = [
    ...(mayCome === true ? ['It may be armed before there is such a pod.'] : []),
    ...(scenario === undefined ? [] : [`The same on the model: \`kubelimbo repro ${scenario} -v\` (${scenarioLink(scenario)}).`]),
    ...(issues.length === 0 ? [] : [`Issues: ${issues.map(issueLink).join(', ')}.`]),
  ]
  return [
    `## ${name}`,
    `**${summary.charAt(0).toUpperCase()}${summary.slice(1)}.** \`kubelimbo inject ${[name, aims[aim].flag].filter((each) => each !== '').join(' ')}\``,
    rules.join('\n'),
    `What a kubelet does:\n\n${kubelet.map(wordsLine).join('\n')}`,
    `How to see it:\n\n${tableOf(
      ['command', 'what it shows'],
      see.map(({command, why}) => [`\`${namesFor(command)}\``, why]),
    )}`,
    ...(more.length === 0 ? [] : [more.join(' ')]),
  ].join('\n\n')
}

function wordsLine({has, lacks, mode, text}: KubeletWords): string {
  const conditions = [
    ...listed(has).map((each) => `with \`${each}\` (${sinceOf(each)})`),
    ...listed(lacks).map((each) => `without \`${each}\` (before ${sinceOf(each)})`),
  ]
  const whose = mode === undefined ? text : `${modeWords[mode]}: ${text}`
  return conditions.length === 0 ? `- ${whose}` : `- *${conditions.join(', ')}*: ${whose}`
}

const sinceOf = (name: string): string => Object.values(switches).find((each) => each.name === name)?.since ?? '?'

const placeholders: Readonly<Record<string, string>> = {
  pod: 'NAMESPACE/POD',
  podName: 'POD',
  namespace: 'NAMESPACE',
  claim: 'NAMESPACE/CLAIM',
  container: 'ID',
  node: 'NODE',
}

const namesFor = (command: string): string => command.replace(/\{(\w+)\}/g, (whole, name: string) => placeholders[name] ?? whole)

const scenarioLink = (name: string): string => `[${name}](bugs.md#${name})`

/** kubernetes/kubernetes#88440: GitHub leads from the number of an issue to the pull request that it may be. */
function issueLink(issue: string): string {
  const [, repository = '', number = ''] = /^([\w.-]+\/[\w.-]+)#(\d+)$/.exec(issue) ?? []
  const shown = repository === 'kubernetes/kubernetes' ? `#${number}` : issue
  return `[${shown}](https://github.com/${repository}/issues/${number})`
}

function tableOf(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')
}
