// inject RECIPE: its arguments and flags, and the request that the verb takes.
import {string as word} from '@oclif/core/args'
import {boolean, string} from '@oclif/core/flags'
import {UserError} from '../base/errors.ts'
import {fieldFlags} from '../faults/flags/flag-values.ts'
import type {RecipeRequest} from '../inject-recipe.ts'
import {findRecipe} from '../proxy/recipes/find-recipe.ts'
import {doctorFlags, given, snapshotRequest} from './flags.ts'
import {parseWhole} from './whole-number.ts'

export const recipeArgs = {
  recipe: word({description: 'a fault by its intent, such as stage-lost, stop-sandbox-lost or runtime-slow (docs/recipes.md has all)'}),
  container: word({description: 'of recipes that aim at a container: its name or the first digits of its id'}),
}

/** Of a recipe alone: how what it aims at is found. */
export const recipeFlags = {
  driver: string({helpValue: 'NAME', description: 'of a recipe: all volumes of this CSI driver'}),
  'dry-run': boolean({description: 'of a recipe: what it aims at, what it would do and how to see it, and nothing else'}),
  ...doctorFlags,
  deadline: string({
    default: '30s',
    helpValue: '30s',
    description: 'how long finding what a recipe aims at, or whose calls are left alone, may take',
  }),
}

type Values = Parameters<typeof snapshotRequest>[0] & {
  readonly listen?: string | undefined
  readonly upstream?: string | undefined
  readonly socket?: string | undefined
  readonly rules?: string | undefined
  readonly fault?: string | undefined
  readonly pvc?: string | undefined
  readonly pod?: string | undefined
  readonly container?: string | undefined
  readonly driver?: string | undefined
  readonly request?: readonly string[] | undefined
  readonly count?: string | undefined
  readonly 'dry-run': boolean
}

interface Words {
  readonly recipe?: string | undefined
  readonly container?: string | undefined
}

/** Undefined when no recipe was asked for. @throws UserError */
export function recipeRequest({recipe, container: named}: Words, flags: Values): RecipeRequest | undefined {
  const {listen, upstream, socket, rules, fault, pvc, pod, container, driver, request, count, 'dry-run': dryRun} = flags
  if (recipe === undefined) {
    const ofRecipes = driver === undefined ? (dryRun ? '--dry-run' : undefined) : '--driver'
    if (ofRecipes === undefined) return undefined
    throw new UserError(`Cannot use ${ofRecipes} as a recipe must be given: there is none`, {
      hint: 'docs/recipes.md has all; `kubelimbo inject explain --rules FILE` says what rules do',
    })
  }
  findRecipe(recipe)
  if (rules !== undefined || fault !== undefined)
    throw new UserError(`Cannot use --${fault === undefined ? 'rules' : 'fault'} as a recipe has rules of its own: it is ${recipe}`, {
      hint: `leave ${recipe} out for a rule of your own; a recipe is aimed by --pvc, --pod, --container or --driver`,
    })
  if (listen === undefined && upstream !== undefined && !dryRun)
    throw new UserError('Cannot use --upstream as --listen must be given with it: it is not', {
      hint: '--socket names one that is taken over, --listen where clients find a proxy of its own',
    })
  if (named !== undefined && container !== undefined)
    throw new UserError(`Cannot use --container as CONTAINER must be given once: it is '${named}' and '${container}'`)
  return {
    ...snapshotRequest(flags),
    recipe,
    asked: given({
      pvc,
      pod,
      container: named ?? container,
      driver,
      upstream,
      socket,
      request: request === undefined ? undefined : Object.fromEntries(fieldFlags('request', request).map(({key, text}) => [key, text])),
      count: count === undefined ? undefined : parseWhole(count, '--count', 1),
    }),
  }
}
