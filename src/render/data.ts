// Data for programs, as JSON or YAML. What reads the YAML may hold to 1.1 or 1.2, so what either takes for something else is quoted.
import {escapedJson} from './escaped.ts'

export type DataFormat = 'json' | 'yaml'

/** What no YAML takes for a number, a moment or a word of its own. */
const name = /^(?!(?:y|n|yes|no|on|off|true|false|null|nan|inf)$)[a-z_](?:[\w./@-]|:(?=[\w./@-]))*$/i

/** Ends in a line break. The YAML library is loaded only where it is needed: it takes longer than a call to the runtime. */
export async function dataText(data: unknown, format: DataFormat): Promise<string> {
  if (format === 'json') return `${escapedJson(JSON.stringify(data, null, 2))}\n`
  const {Document, visit} = await import('yaml')
  const document = new Document(data)
  visit(document, {
    Scalar: (_key, node) => {
      // Between double quotes a text is a text for every reader, and escapes exist there only.
      if (typeof node.value === 'string' && !name.test(node.value)) node.type = 'QUOTE_DOUBLE'
    },
  })
  return escapedJson(document.toString({lineWidth: 0, indentSeq: false}))
}
