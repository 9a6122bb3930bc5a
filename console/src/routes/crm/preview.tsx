import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ApiError } from '../../../../sdk/src/errors.ts'
import type { CrmConnection, CrmPreview } from '../../../../sdk/src/generated/types.ts'
import { newKey } from '../../api/requests.ts'
import { Button } from '../../parts/button.tsx'
import { TextField } from '../../parts/field.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Note } from '../../parts/note.tsx'
import { count } from '../../parts/numbers.ts'
import { Time } from '../../parts/time.tsx'
import { useSubmit } from '../../parts/use-submit.ts'
import type { PushKind, PushSearch } from '../../records/push-search.ts'
import { hashOfIds } from '../../records/push-search.ts'
import { useNavigate } from '../../routing/use-router.ts'
import { useScope } from '../../shell/scope.tsx'
import styles from './push-page.module.css'
import { Sample } from './sample.tsx'
import { kindNames, peopleWords, skippedName } from './words.ts'

type Asked = { connection: CrmConnection; kind: PushKind; ids: readonly string[]; search: PushSearch }

/** Counts the people of a push, shows what the CRM would get, and pushes them. */
export function Preview(asked: Asked) {
  const { connection, kind, ids, search } = asked
  const { orgId, mode, api } = useScope()
  const body = {
    connection_id: connection.connection_id,
    ...(ids.length > 0
      ? { contact_ids: [...ids] }
      : {
          ...(search.q !== undefined && { filter: { q: search.q } }),
          ...(search.filter && { conditions: search.filter }),
          ...(search.segment && { segment_id: search.segment }),
        }),
  }
  const preview = useQuery({
    // The key of the push belongs to its count: a push whose answer was lost is sent again with the same key.
    queryKey: ['crm-preview', orgId, mode, kind, connection.version, body],
    queryFn: async ({ signal }) => ({
      ...(await api.crm[kind].preview(body, { signal })),
      pushKey: newKey(),
    }),
    staleTime: 0,
    gcTime: 0,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  })
  return (
    <Loaded query={preview}>
      {(found) => (
        <Counted
          key={found.pushKey}
          {...asked}
          body={body}
          preview={found}
          at={preview.dataUpdatedAt / 1000}
          isCounting={preview.isFetching}
          onCount={() => void preview.refetch()}
        />
      )}
    </Loaded>
  )
}

function Counted({
  connection,
  kind,
  ids,
  search,
  body,
  preview,
  at,
  isCounting,
  onCount,
}: Asked & {
  body: { connection_id: string }
  preview: CrmPreview & { pushKey: string }
  at: number
  isCounting: boolean
  onCount: () => void
}) {
  const { orgId, mode, api, can } = useScope()
  const navigate = useNavigate()
  const [typed, setTyped] = useState('')
  const { count: total, threshold, confirmation_required: isLarge, pushKey } = preview
  const { submit, isBusy, rest, error } = useSubmit(
    async () =>
      api.crm[kind].push({ ...body, large_population_confirmed: isLarge }, { idempotencyKey: pushKey }),
    {
      onDone: ({ job_id: jobId }) =>
        void navigate({
          to: '/o/$orgId/crm/jobs/$jobId',
          params: { orgId, jobId },
          // The page of the job leads back to the same people.
          search: { ...search, connection: connection.connection_id, kind },
          hash: hashOfIds(ids),
        }),
    },
  )
  const isConfirmed = !isLarge || typed.replaceAll(/[\s,.]/g, '') === String(total)
  const mayPush = can('crm:write')
  return (
    <>
      <section className="stack g12" aria-label="Count">
        <div className="rail base wrap">
          <span className="t26 strong">{count(total)}</span>
          <span className="two t14">{total === 1 ? 'person' : 'people'} would be pushed</span>
          <span className="end three t12">
            counted <Time at={at} />
          </span>
        </div>
        <Split kind={kind} preview={preview} />
        {ids.length === 0 && (
          <p className="three t12">People with neither an e-mail address nor a phone number are left out.</p>
        )}
      </section>
      <Sample people={preview.sample} name={connection.name} />
      {mode === 'test' && (
        <Note>In test mode, Crosswalk pushes to its own sandbox: no data reaches {connection.name}.</Note>
      )}
      {isLarge && mayPush && (
        <Note kind="warn">
          <div className="stack g12">
            <p>
              <b>This is more than {peopleWords(threshold)}.</b> Crosswalk does not delete {kindNames[kind]}{' '}
              that it created in the CRM.
            </p>
            <div className={styles.confirm}>
              <TextField
                label={`Type ${count(total)} to confirm the number`}
                value={typed}
                onChange={setTyped}
                inputMode="numeric"
                autoComplete="off"
              />
            </div>
          </div>
        </Note>
      )}
      {rest && (
        <Note kind="bad">
          {error instanceof ApiError && error.code === 'reference_not_found'
            ? 'Nobody is pushed: the segment or the CRM was deleted meanwhile. Choose again.'
            : rest}
        </Note>
      )}
      {mayPush ? (
        <div className="rail wrap">
          <Button
            kind="main"
            icon="push"
            isBusy={isBusy}
            disabled={total === 0 || !isConfirmed}
            onClick={() => submit()}
          >
            Push {peopleWords(total)}
          </Button>
          {/* A new count has a new key: while a push is sent, it would allow a second one. */}
          <Button kind="quiet" isBusy={isCounting} disabled={isBusy} onClick={onCount}>
            Count again
          </Button>
        </div>
      ) : (
        <Note>Your role may preview pushes, but not start them.</Note>
      )}
    </>
  )
}

function Split({ kind, preview }: { kind: PushKind; preview: CrmPreview }) {
  const { would_create, would_update, skipped } = preview
  const one = kind === 'leads' ? 'Lead' : 'Contact'
  const rows = [
    { name: `become new ${kindNames[kind]}`, style: styles.create, value: would_create },
    { name: `have a ${one} already: updated if they changed`, style: styles.update, value: would_update },
    ...Object.entries(skipped).map(([reason, value]) => ({
      ...{ name: skippedName(reason), style: styles.skip, value },
    })),
  ]
  return (
    <>
      <div className={styles.split} aria-hidden="true">
        {rows
          .filter(({ style, value }) => value > 0 && style !== styles.skip)
          .map(({ name, style, value }) => (
            <i key={name} className={style} style={{ flex: value }} />
          ))}
      </div>
      <dl className={styles.legend}>
        {rows.map(({ name, style, value }) => (
          <div key={name}>
            <dt className="rail">
              <i className={style} />
              {name}
            </dt>
            <dd>{count(value)}</dd>
          </div>
        ))}
      </dl>
    </>
  )
}
