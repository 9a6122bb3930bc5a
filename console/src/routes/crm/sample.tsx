import styles from './push-page.module.css'

const numbers = ['No', 'One', 'Two', 'Three', 'Four', 'Five']

/** Some people in the form in which the CRM gets them: its own names of fields. */
export function Sample({ people, name }: { people: readonly Record<string, unknown>[]; name: string }) {
  if (people.length === 0) return null
  const isEmpty = (value: unknown) => value === null || value === undefined || value === ''
  const columns = [...new Set(people.flatMap((person) => Object.keys(person)))].filter((column) =>
    people.some((person) => !isEmpty(person[column])),
  )
  const title =
    people.length === 1
      ? `One of them, as ${name} gets it`
      : `${numbers[people.length] ?? people.length} of them, as ${name} gets them`
  return (
    <section className="stack" aria-label="Sample">
      <h2>{title}</h2>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a keyboard scrolls it */}
      <div className={styles.sample} tabIndex={0}>
        <table>
          <thead>
            <tr>
              {columns.map((column) => (
                <th key={column} scope="col">
                  {column}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {people.map((person) => (
              <tr key={JSON.stringify(person)}>
                {columns.map((column) => (
                  <td key={column} title={isEmpty(person[column]) ? undefined : String(person[column])}>
                    {isEmpty(person[column]) ? <span className="three">–</span> : String(person[column])}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  )
}
