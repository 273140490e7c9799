// What lies in a directory that a pod can write to: how much, never what.
import type {DirectoryContent} from '../disk.ts'
import {look} from './look.ts'
import {namesIn} from './names-in.ts'

const most = 1000

/**
 * One level deep, no link followed, no mount point touched.
 * @throws the system's error
 */
export function contentOf(path: string, isMountPoint: (name: string) => boolean): DirectoryContent {
  const names = namesIn(path, most + 1)
  const counted = names.slice(0, most).filter(({name}) => !isMountPoint(name))
  const facts = counted.map(({name}) => look(`${path}/${name}`)).flatMap((looked) => ('facts' in looked ? [looked.facts] : []))
  return {
    entries: Math.min(names.length, most),
    ...(names.length > most && {more: true as const}),
    bytes: facts.reduce((sum, {type, size}) => sum + (type === 'file' ? size : 0), 0),
    ...(facts.length > 0 && {newestAt: Math.max(...facts.map(({modifiedAt = 0}) => modifiedAt))}),
  }
}
