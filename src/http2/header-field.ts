// A header field. Names and values are octets, held as strings of one character for each (latin1), so that nothing is lost on the way.

export interface HeaderField {
  readonly name: string
  readonly value: string
  /** Never to be indexed by anybody on the way (RFC 7541, 7.1.3). */
  readonly sensitive?: boolean
}

/** As SETTINGS_MAX_HEADER_LIST_SIZE and the dynamic table count it (RFC 7541, 4.1). */
export function fieldSize({name, value}: HeaderField): number {
  return name.length + value.length + 32
}

export function fieldValue(fields: readonly HeaderField[], name: string): string | undefined {
  return fields.find((field) => field.name === name)?.value
}
