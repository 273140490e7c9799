// The same of a violation that is about a volume.
import type {Violation} from '../invariant.ts'
import type {Claims, Plain} from './claims.ts'

export function claimsOfVolume({invariant, how}: Violation, volume: string): Claims {
  const call = (method: string, more: Plain = {}): Plain => ({call: method, ...more, request: {volume}})
  const unstage = call('NodeUnstageVolume')
  const done = (undoing: Plain): Plain => ({...undoing, outcome: 'OK'})
  const undone = (doing: string, undoing: Plain): Claims => {
    const tried = call(doing, {outcome: 'any'})
    return {
      there: [[{never: undoing, since: tried}], [{never: done(undoing), since: tried}], [{eventually: tried}]],
      absent: [
        [{eventually: done(undoing), after: tried}],
        [{never: call(doing, {outcome: 'OK'})}],
        [{eventually: tried}],
        [{never: tried}],
      ],
    }
  }
  switch (invariant) {
    case 'stage-not-undone':
      return undone('NodeStageVolume', unstage)
    case 'publish-not-undone':
      return undone('NodePublishVolume', {call: 'NodeUnpublishVolume', request: {volume}})
    case 'unstaged-while-published': {
      const order = {ordered: [call('NodePublishVolume', {outcome: 'any'}), unstage]}
      return {
        there: [[order, {never: done(call('NodeUnpublishVolume')), until: unstage}], [order]],
        absent: [[{ordered: [done(call('NodeUnpublishVolume')), unstage]}], [{never: unstage}], [{eventually: unstage}]],
      }
    }
    case 'removed-while-published': {
      const gone: Plain = {watch: 'DELETED'}
      return {
        there: [[{never: done(call('NodeUnpublishVolume')), until: gone}], [{eventually: gone}]],
        absent: [[{never: gone, until: done(call('NodeUnpublishVolume'))}], [{never: gone}], [{eventually: gone}]],
      }
    }
    default: {
      const isPublished = how.startsWith('published')
      return undone(isPublished ? 'NodePublishVolume' : 'NodeStageVolume', isPublished ? call('NodeUnpublishVolume') : unstage)
    }
  }
}
