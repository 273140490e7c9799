// A patch that cannot be one of this document.

export class PatchError extends Error {
  override readonly name = 'PatchError'
}
