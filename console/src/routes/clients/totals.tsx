import type { AgencyUsageTotals } from '../../../../sdk/src/generated/types.ts'
import { problemElsewhere } from '../../api/problem.ts'
import { Button } from '../../parts/button.tsx'
import { type Figure, Figures } from '../../parts/figures.tsx'
import { Note } from '../../parts/note.tsx'
import { count } from '../../parts/numbers.ts'

/** The sums of all clients. Before they are read, dashes keep their place. */
export const Totals = ({
  query,
}: {
  query: { data: AgencyUsageTotals | undefined; error: unknown; refetch: () => unknown }
}) => (
  <div className="pad">
    {query.data === undefined && query.error ? (
      <Note kind="bad">
        <p>The sums are missing: {problemElsewhere(query.error, [])}</p>
        <p style={{ paddingTop: 4 }}>
          <Button onClick={() => void query.refetch()}>Try again</Button>
        </p>
      </Note>
    ) : (
      <Figures figures={figuresOf(query.data)} />
    )}
  </div>
)

function figuresOf(totals: AgencyUsageTotals | undefined): readonly Figure[] {
  const sum = (number: (totals: AgencyUsageTotals) => number) => (totals ? count(number(totals)) : '–')
  return [
    { name: 'Clients', value: sum(({ clients }) => clients) },
    {
      name: 'Requests',
      value: sum(({ requests }) => requests),
      about: `${sum(({ rate_limited }) => rate_limited)} refused with 429`,
    },
    {
      name: 'Calls',
      value: sum(({ calls }) => calls),
      about: totals?.call_minutes === 1 ? '1 minute' : `${sum(({ call_minutes }) => call_minutes)} minutes`,
    },
    { name: 'Changes', value: sum(({ events }) => events) },
    {
      name: 'Webhooks',
      value: sum(({ webhooks_delivered, webhooks_failed }) => webhooks_delivered + webhooks_failed),
      about: `${sum(({ webhooks_failed }) => webhooks_failed)} not delivered`,
    },
  ]
}
