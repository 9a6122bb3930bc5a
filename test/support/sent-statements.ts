import { Client, type QueryResult } from 'pg'

/** A statement of an organization, and how many rows it returned or changed. */
export type SentStatement = { text: string; rows: number }

type Query = {
  text?: string
  values?: readonly unknown[]
  callback?: (error: Error | null, results: QueryResult | QueryResult[]) => void
}

const connections = Client.prototype as unknown as { query(query: Query): unknown }

/** Statements of timers, and the search for webhooks to deliver after each commit. They also name organizations. */
const background = /last_used_at|last_seen_at|usage_hour|from webhook_endpoint e/

/**
 * Returns the statements that this process sends while `act` runs, and that name the organization. Use a
 * server without background jobs (`role: 'api'`).
 */
export async function statementsDuring(orgId: string, act: () => Promise<unknown>): Promise<SentStatement[]> {
  const statements: SentStatement[] = []
  const { query: send } = connections
  connections.query = function (query) {
    const { text = '', values = [], callback } = query
    if (callback && !background.test(text) && JSON.stringify(values).includes(orgId)) {
      const statement = { text, rows: 0 }
      statements.push(statement)
      query.callback = (error, results) => {
        statement.rows = (Array.isArray(results) ? results.at(-1) : results)?.rowCount ?? 0
        callback(error, results)
      }
    }
    return send.call(this, query)
  }
  try {
    await act()
  } finally {
    connections.query = send
  }
  return statements
}
