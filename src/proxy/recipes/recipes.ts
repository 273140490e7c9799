// All recipes, in the order in which they are listed: CSI in the order of a volume's life, then the container runtime.
import {containerRecipes} from './list/container.ts'
import {driverRecipes} from './list/driver.ts'
import {publishRecipes} from './list/publish.ts'
import {runtimeRecipes} from './list/runtime.ts'
import {sandboxRecipes} from './list/sandbox.ts'
import {stageRecipes} from './list/stage.ts'
import {undoRecipes} from './list/undo.ts'
import type {Recipe} from './recipe.ts'

export const recipes: readonly Recipe[] = [
  ...stageRecipes,
  ...publishRecipes,
  ...undoRecipes,
  ...driverRecipes,
  ...sandboxRecipes,
  ...containerRecipes,
  ...runtimeRecipes,
]
