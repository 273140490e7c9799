// The beginning of a sentence.

export function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
