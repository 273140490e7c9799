import {BaseCommand} from '../src/cli/command.ts'
import {injectFlags, injectRequest, nodeOf, rulesGiven} from '../src/cli/inject-flags.ts'
import {recipeArgs, recipeFlags, recipeRequest} from '../src/cli/recipe-flags.ts'
import {keepMemorySteady} from '../src/cli/steady-memory.ts'
import {stopSignals} from '../src/cli/stop-signals.ts'
import {tellingIfEarly} from '../src/cli/stopped-early.ts'
import type {Machine} from '../src/node/runtime-source.ts'

export default class Inject extends BaseCommand {
  static override summary = 'Stand before a CRI or CSI socket and delay, fail, hang or lose calls, as rules say'
  static override description =
    'It takes the place of a live --socket, or listens on --listen and passes everything on to --upstream, and does to the calls that a rule takes what the rule says; it runs until --for is over or Ctrl-C, and heals then. A RECIPE finds what it aims at, its rules and the socket by itself, and says what the kubelet will do. docs/faults.md has all faults, docs/recipes.md all recipes, docs/inject.md the rest.\nExit code: 0 the time is over or the server has restarted, 2 wrong command line or rules, 3 nobody listens on --upstream or --socket, 4 --socket could not be given back, 5 it cannot listen on --listen or --socket is not to be taken over, 130 stopped.'
  static override examples = [
    '<%= config.bin %> inject stage-hang --pvc default/data --for 30s',
    '<%= config.bin %> inject --socket /run/containerd/containerd.sock --fault delay --method StopContainer --delay 5s --jitter 1s',
    '<%= config.bin %> inject --listen unix:///tmp/csi.sock --upstream unix:///csi/csi.sock --fault hang-after-exec --method NodeStageVolume --count 1',
    '<%= config.bin %> inject --listen unix:///tmp/cri.sock --upstream unix:///run/containerd/containerd.sock --rules rules.yaml --for 30m',
  ]
  static override args = recipeArgs
  static override flags = {...injectFlags, ...recipeFlags}

  override async run(): Promise<void> {
    const {args, flags} = await this.parse(Inject)
    const output = flags.json ? 'json' : flags.output
    const recipe = recipeRequest(args, flags)
    const work = {deadline: flags.deadline, waitingFor: 'the node'}
    const prepare = async (machine: Machine) => recipe && (await import('../src/inject-recipe.ts')).prepareRecipe(recipe, machine)
    const prepared = recipe && (await this.work(work, prepare))
    if (prepared) this.print((await import('../src/render/recipe.ts')).recipeLines(prepared, output))
    if (flags['dry-run']) return
    keepMemorySteady()
    using stop = stopSignals()
    const [{inject}, {injectLines}] = await Promise.all([import('../src/inject.ts'), import('../src/render/inject.ts')])
    const ask = async (machine: Machine) => (await import('../src/inject-names.ts')).injectNames(nodeOf(flags), machine)
    const given = {names: () => this.work(work, ask), ...(prepared ?? (await rulesGiven(flags)))}
    const request = injectRequest(flags, given, `kubelimbo ${this.config.version}`, stop)
    const warn = (text: string) => this.complain([text])
    await tellingIfEarly(inject, request, injectLines(output, this.printer(stop.controller), warn), (text) => this.tell(text))
  }
}
