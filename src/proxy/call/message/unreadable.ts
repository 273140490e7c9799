// Why a message could not be looked at, so that a rule could not do its work.

export class Unreadable extends Error {
  override readonly name = 'Unreadable'
}
