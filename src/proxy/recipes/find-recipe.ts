// The recipe that somebody names.
import {UserError} from '../../base/errors.ts'
import {likely} from '../../base/nearest.ts'
import type {Recipe} from './recipe.ts'
import {recipes} from './recipes.ts'

/** @throws UserError */
export function findRecipe(name: string): Recipe {
  const found = recipes.find((each) => each.name === name)
  if (found !== undefined) return found
  const names = recipes.map((each) => each.name)
  const near = likely(name, names)
  throw new UserError(`Cannot inject this as the recipe must be one of ${names.join(', ')}: it is '${name}'`, {
    hint: near.length === 0 ? '--fault KIND makes a rule of your own' : `'${near.join("' or '")}' may be meant`,
  })
}
