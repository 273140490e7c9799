// What a recipe aims at on this node, its rules, and what a person is told before it begins.
import type {Machine} from './node/runtime-source.ts'
import type {SnapshotRequest} from './node/snapshot-request.ts'
import type {Asked} from './proxy/recipes/asked.ts'
import {readFacts} from './proxy/recipes/facts.ts'
import {findRecipe} from './proxy/recipes/find-recipe.ts'
import {type Prepared, prepare} from './proxy/recipes/prepare.ts'
import {type KnownNames, knownNames} from './proxy/stand/known-names.ts'

export interface RecipeRequest extends SnapshotRequest {
  readonly recipe: string
  readonly asked: Asked
}

export interface PreparedRecipe extends Prepared {
  /** Of the node that was looked at. */
  readonly names: () => Promise<KnownNames>
}

/** @throws UserError when there is no such recipe, or nothing that it could aim at */
export async function prepareRecipe({recipe, asked, ...request}: RecipeRequest, machine: Machine): Promise<PreparedRecipe> {
  const found = findRecipe(recipe)
  const facts = await readFacts(found, asked, request, machine)
  return {...prepare(found, asked, facts), names: async () => knownNames(facts.snapshot)}
}
