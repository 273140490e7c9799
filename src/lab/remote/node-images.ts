// The images that containers of a scenario are made of on a real node, where nothing is pulled.
import {UserError} from '../../base/errors.ts'
import {exitCodes} from '../../base/exit-codes.ts'
import {labImage, parseReference} from '../runtime/images.ts'

/** What the runtime is asked for in place of an image. Undefined: itself, which the node is not said to have. */
export type NodeImages = (image: string) => string | undefined

/**
 * The image itself where the node has it, or else its busybox, which has all that commands of scenarios need. An image under .invalid is one that cannot be had.
 * @param names those that the node has, by all of their names
 * @param chosen in place of all
 * @throws UserError when there is none
 */
export function nodeImages(names: readonly string[], chosen?: string): NodeImages {
  const has = (image: string) => names.includes(image) || names.includes(parseReference(image).tag)
  if (chosen !== undefined && !has(chosen)) throw noImage(`have ${chosen}`, `it has ${namesText(names)}`)
  const standIn =
    chosen ?? names.filter((name) => /\/busybox[:@]/.test(name)).toSorted()[0] ?? names.find((name) => name.endsWith(`/${labImage}`))
  if (standIn === undefined) throw noImage('have some busybox', `it has ${namesText(names)}`)
  return (image) => {
    if (/^[^/]+\.invalid(:\d+)?\//.test(image)) return undefined
    return chosen === undefined && has(image) ? image : standIn
  }
}

const noImage = (must: string, is: string) =>
  new UserError(`Cannot run the containers of scenarios as the node must ${must}: ${is}`, {
    hint: 'name an image of the node that has sh and sleep with --image',
    exit: exitCodes.blind,
  })

const namesText = (names: readonly string[]): string => {
  const tags = names.filter((name) => !name.includes('@'))
  return tags.length === 0 ? 'no image' : `${tags.slice(0, 5).join(', ')}${tags.length > 5 ? ` and ${tags.length - 5} more` : ''}`
}
