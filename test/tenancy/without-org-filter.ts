import { Client } from 'pg'

const filters: [RegExp, string][] = [
  // Matches `r.org_id = $1` and `"org_id" = $3`. The parameter stays in the statement, so that the other parameters
  // keep their numbers.
  [/(?:"?\w+"?\.)?"?\borg_id\b"? = (\$\d+)/g, '$1::uuid is not null'],
  [/(?:"?\w+"?\.)?"?\borg_id\b"? = app\.org_id\(\)/g, 'true'],
  [/(?:"?\w+"?\.)?"?\borg_id\b"? = (?:"?\w+"?\.)"?org_id\b"?/g, 'true'],
]

/** Returns `sql` without its conditions on the org, as if a developer had forgotten them. */
export function withoutOrgFilter(sql: string): string {
  return filters.reduce((text, [filter, instead]) => text.replaceAll(filter, instead), sql)
}

type Sent = { text?: string; values?: unknown[] }

/**
 * Removes the conditions on the org from every statement of a request, so that only row-level security separates
 * orgs. Call it before the first connection, because statements are prepared by name.
 * @returns the changed statements, and a function that stops it
 */
export function dropOrgFilters(): { changed: Set<string>; restore(): void } {
  const { query } = Client.prototype
  const changed = new Set<string>()
  const send = query as unknown as (this: Client, ...sent: unknown[]) => unknown
  Client.prototype.query = function (this: Client, ...sent: unknown[]) {
    const [statement] = sent as [Sent]
    if (/^crosswalk_(app|limited)$/.test(this.user ?? '') && typeof statement.text === 'string') {
      const text = withoutOrgFilter(statement.text)
      if (text !== statement.text) changed.add(text)
      statement.text = text
    }
    return send.apply(this, sent)
  } as never
  return {
    changed,
    restore: () => {
      Client.prototype.query = query
    },
  }
}
