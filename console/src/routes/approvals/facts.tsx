import styles from './page.module.css'

type Named = [name: string, fact: unknown]

const isEmpty = (fact: unknown) => fact === null || fact === undefined || fact === ''
const isObject = (fact: unknown): fact is object => typeof fact === 'object' && fact !== null
const isId = (name: string) => /(^|_)ids?$/.test(name)

/** What a tool call would do. Ids come last, because they tell a person little. */
export function Facts({ facts }: { facts: Readonly<Record<string, unknown>> }) {
  const shown = Object.entries(facts).filter(([, fact]) => !isEmpty(fact))
  const ordered = [...shown.filter(([name]) => !isId(name)), ...shown.filter(([name]) => isId(name))]
  return (
    <dl className={styles.facts}>
      {ordered.map(([name, fact]) => (
        <div key={name}>
          <dt className="two">{words(name)}</dt>
          <dd>
            <Fact fact={fact} />
          </dd>
        </div>
      ))}
    </dl>
  )
}

function Fact({ fact }: { fact: unknown }) {
  if (!Array.isArray(fact) || !fact.some(isObject)) return text(fact)
  return (
    <ul className={styles.parts}>
      {fact.map((part) => (
        <li key={JSON.stringify(part)}>{text(part)}</li>
      ))}
    </ul>
  )
}

/** A fact in one line: `yes`, `Ada, Grace` or `first name: Ada · city: Paris`. */
function text(fact: unknown): string {
  if (typeof fact === 'boolean') return fact ? 'yes' : 'no'
  if (Array.isArray(fact)) return fact.map(text).join(', ')
  if (!isObject(fact)) return String(fact)
  const named: Named[] = Object.entries(fact).filter(([, part]) => !isEmpty(part))
  return named.map(([name, part]) => `${words(name)}: ${text(part)}`).join(' · ')
}

const words = (name: string) => name.replaceAll('_', ' ')
