// The formats of repro: for people, for programs, and for those that read tests.
export const reproOutputs = ['table', 'json', 'yaml', 'junit', 'tap', 'html'] as const
export type ReproOutput = (typeof reproOutputs)[number]
