// The words of a command, one an item: a flag's value may be the item after it.
import {type Hit, mark} from './mark.ts'
import {isSecretOption} from './names.ts'
import {redactText} from './text.ts'

/** They take the password in one word with its flag. */
const mysql = /(?:^|\/)(?:mysql|mariadb)[\w-]*$/

export function redactWords(words: readonly string[], hit: Hit): string[] {
  const joined = mysql.test(words[0]?.slice(-200) ?? '')
  return words.map((word, index) =>
    joined && /^-p(?!\[redacted\])./.test(word) ? `-p${hit('credential option')}` : redactWord(word, words[index - 1] ?? '', hit),
  )
}

function redactWord(word: string, before: string, hit: Hit): string {
  if (word === '' || word.startsWith(mark)) return word
  const flag = /^--?([\w.-]{1,80})$/.exec(before)?.[1]
  if (flag !== undefined && isSecretOption(flag) && !word.startsWith('--')) return hit('credential option')
  // A port, a path or a flag after -p: it is no password's.
  if (before === '-p' && !/^(?:[\d.:]+$|[/.-]|\d+:)/.test(word)) return hit('credential option')
  const login = /^(?:-u|-U|--(?:proxy-)?user)$/.test(before) ? /^([^\s:]{1,256}:)(?!\d+$|\[redacted\])\S/.exec(word)?.[1] : undefined
  if (login !== undefined) return login + hit('user and password')
  const variable = /^(?:-e|--env)$/.test(before) ? /^[A-Za-z_]\w*=(?=[^[])/.exec(word)?.[0] : /^--env=[A-Za-z_]\w*=(?=[^[])/.exec(word)?.[0]
  if (variable !== undefined) return variable + hit('environment value')
  const [, option = '', value = ''] = /^(-{0,2}[\w.-]{1,80}=)(\S+)$/.exec(word) ?? []
  const innocent = value === '' || value.startsWith(mark) || value.startsWith('/') || /^(?:true|false)$/.test(value)
  if (!innocent && isSecretOption(option.replace(/^-+|=$/g, ''))) return option + hit('credential option')
  return redactText(word, hit)
}
