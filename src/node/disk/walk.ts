// A walk below the kubelet's root, by the plan. Order: a mount point is recognised by the mount table before anything is asked of it, as
// the question alone can hang.
import type {Dirent} from 'node:fs'
import type {DiskEntry} from '../disk.ts'
import {volDataLimit} from '../vol-data.ts'
import {contentOf} from './content.ts'
import {codeOf, look, typeOf} from './look.ts'
import {namesIn} from './names-in.ts'
import type {ReadFile, WalkedMount, WalkPart, WalkRequest} from './protocol.ts'
import {readRegularFile} from './regular-file.ts'
import {type Plan, rootPlan} from './walk-plan.ts'

/** No kubelet has as many in one directory: whoever does writes without end. */
const mostNames = 100_000
const partSize = 1000

export function walk(request: WalkRequest, emit: (part: WalkPart) => void): void {
  new Walk(request, emit).run()
}

class Walk {
  readonly #root: string
  readonly #mounts: ReadonlyMap<string, WalkedMount> | undefined
  readonly #skip: ReadonlySet<string>
  readonly #emit: (part: WalkPart) => void
  #entering = ''
  #entries: DiskEntry[] = []
  #volData: ReadFile[] = []
  #problems: string[] = []

  constructor({root, mounts, skip}: WalkRequest, emit: (part: WalkPart) => void) {
    this.#root = root
    this.#mounts = mounts && new Map(mounts.map((mount) => [mount.path, mount]))
    this.#skip = new Set(skip)
    this.#emit = emit
  }

  run(): void {
    const looked = look(this.#root)
    if ('code' in looked) this.#problems.push(`it cannot be looked at: ${looked.code}`)
    else {
      this.#entries.push({path: '', ...looked.facts})
      this.#list('', rootPlan, looked.facts.device)
    }
    this.#flush('')
  }

  #list(path: string, plan: Plan, device: string | undefined): void {
    for (const entry of this.#children(path)) {
      const step = plan.named && Object.hasOwn(plan.named, entry.name) ? plan.named[entry.name] : plan.each
      const child = path === '' ? entry.name : `${path}/${entry.name}`
      if (step?.unit) {
        if (this.#skip.has(child)) continue
        this.#flush(child)
      } else if (this.#entries.length >= partSize) this.#flush(this.#entering)
      this.#visit(child, entry, step, device)
      if (plan.volData && entry.name === 'vol_data.json' && !this.#mounts?.has(child)) this.#readVolData(child)
    }
  }

  #visit(path: string, entry: Dirent, step: Plan | undefined, parentDevice: string | undefined): void {
    const mount = this.#mounts?.get(path)
    if (mount !== undefined && !(step?.crossable && mount.local)) {
      this.#entries.push({path, type: typeOf(entry), mode: 0, size: 0, device: mount.device})
      if (step?.crossable) this.#problems.push(`${path} is not entered: ${mount.fsType} is mounted there`)
      return
    }
    const looked = look(this.#at(path))
    if ('code' in looked) {
      // It went away in the meantime, or its name cannot be said.
      if (looked.code === 'ENOENT') {
        if (path.includes('\ufffd')) this.#problems.push(`${path} is not entered: its name is not UTF-8`)
        return
      }
      this.#entries.push({path, type: typeOf(entry), mode: 0, size: 0})
      this.#problems.push(`${path} cannot be looked at: ${looked.code}`)
      return
    }
    const {facts} = looked
    const elsewhere = mount === undefined && facts.device !== parentDevice
    if (step?.content && facts.type === 'directory' && this.#mounts !== undefined && !elsewhere) {
      this.#entries.push({path, ...facts, ...this.#content(path)})
      return
    }
    this.#entries.push({path, ...facts})
    if (step === undefined || step.content) return
    if (facts.type === 'link' && step.crossable) this.#problems.push(`${path} is not entered: it is a link`)
    else if (facts.type !== 'directory') return
    else if (elsewhere) this.#problems.push(`${path} is not entered: it lies on another file system`)
    else this.#list(path, step, facts.device)
  }

  #children(path: string): Dirent[] {
    try {
      const names = namesIn(this.#at(path), mostNames)
      if (names.length === mostNames) this.#problems.push(`${path} has ${mostNames} entries or more`)
      return names.sort((a, b) => (a.name < b.name ? -1 : 1))
    } catch (error) {
      if (codeOf(error) !== 'ENOENT') this.#problems.push(`${path || 'it'} cannot be listed: ${codeOf(error)}`)
      return []
    }
  }

  #content(path: string): Pick<DiskEntry, 'content'> {
    try {
      return {content: contentOf(this.#at(path), (name) => this.#mounts?.has(`${path}/${name}`) ?? false)}
    } catch {
      return {}
    }
  }

  #readVolData(path: string): void {
    const file = readRegularFile(this.#at(path), volDataLimit)
    if ('bytes' in file) this.#volData.push({path, base64: Buffer.from(file.bytes).toString('base64')})
    else if (file.unreadable !== 'ENOENT') this.#volData.push({path, ...file})
  }

  #at(path: string): string {
    return path === '' ? this.#root : `${this.#root}/${path}`
  }

  #flush(entering: string): void {
    const part = {entering, entries: this.#entries, volData: this.#volData, problems: this.#problems}
    this.#entering = entering
    this.#entries = []
    this.#volData = []
    this.#problems = []
    this.#emit(part)
  }
}
