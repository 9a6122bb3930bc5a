import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import type { Import } from '../../../../sdk/src/generated/types.ts'
import { ServerFileButton } from '../../parts/download.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { NextPageButton } from '../../parts/more.tsx'
import { count } from '../../parts/numbers.ts'
import { type Column, Table } from '../../parts/table.tsx'
import { useScope } from '../../shell/scope.tsx'
import styles from './import-page.module.css'
import { nameOf } from './import-words.ts'
import { Reason, useReasonNames } from './reason.tsx'

const columns: Column[] = [{ name: 'Line', width: 96, phoneWidth: 72 }, { name: 'Why' }]

/** The rows that an import or a check refused, with the reasons. They can be downloaded. */
export function RefusedRows({ found }: { found: Import }) {
  const { orgId, api } = useScope()
  const { import_id: importId, counts } = found
  const rows = useInfiniteQuery({
    queryKey: ['import-rows', orgId, importId, counts.refused],
    queryFn: ({ pageParam, signal }) =>
      api.imports.rows.list(importId, { limit: 25, ...(pageParam && { cursor: pageParam }) }, { signal }),
    initialPageParam: '',
    getNextPageParam: ({ pagination }) => pagination.next_cursor,
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY,
  })
  const names = useReasonNames(found, rows.data?.pages.flatMap(({ data }) => data) ?? [])
  return (
    <section className={styles.table} aria-label="Refused rows">
      <div className={styles.sectionHead}>
        <h2>Refused</h2>
        <span className="three">
          {count(counts.refused)} {counts.refused === 1 ? 'row' : 'rows'}
        </span>
        <span className="end">
          <ServerFileButton
            name={`${nameOf(found).replace(/\.\w+$/, '')}-refused.csv`}
            read={() => api.imports.rows.export(importId)}
            failed="Not downloaded"
          >
            Download as CSV
          </ServerFileButton>
        </span>
      </div>
      <Loaded query={rows} rows={3}>
        {({ pages }) => (
          <>
            <Table label="Refused rows" columns={columns} hasControls={false}>
              {pages
                .flatMap(({ data }) => data)
                .map((row) => (
                  <tr key={row.line}>
                    <td>{count(row.line)}</td>
                    <td className={styles.reason}>
                      <Reason {...{ found, row, names }} />
                    </td>
                  </tr>
                ))}
            </Table>
            {rows.hasNextPage && <NextPageButton query={rows} act="Show more rows" end="" />}
          </>
        )}
      </Loaded>
    </section>
  )
}
