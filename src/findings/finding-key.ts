// What makes two findings the same: the code, and all that the subject says.

export function findingKey({code, subject}: {readonly code: string; readonly subject: object}): string {
  const said = Object.entries(subject).filter(([, value]) => value !== undefined)
  return JSON.stringify([code, said.toSorted(([a], [b]) => (a < b ? -1 : 1))])
}
