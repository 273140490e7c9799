// The formats of a check: for people, for programs, and for the programs that run us as their plugin.
export const checkOutputs = ['table', 'json', 'yaml', 'junit', 'nagios', 'npd', 'prometheus'] as const
export type CheckOutput = (typeof checkOutputs)[number]

/** They read the exit code by rules of their own, and one line of stdout. */
export type PluginOutput = Extract<CheckOutput, 'nagios' | 'npd'>
