// The module comes without types.
declare module 'parse-prometheus-text-format' {
  interface Family {
    readonly name: string
    readonly help: string
    readonly type: string
    readonly metrics: readonly {
      readonly value: string
      readonly labels?: Readonly<Record<string, string>>
      readonly timestamp_ms?: string
    }[]
  }
  function parse(text: string): readonly Family[]
  export = parse
}
