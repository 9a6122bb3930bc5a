import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useState } from 'react'
import type { Import } from '../../../../sdk/src/generated/types.ts'
import { Button, buttonLook } from '../../parts/button.tsx'
import { actorWords } from '../../parts/event-words.ts'
import { Fact, Facts } from '../../parts/facts.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { LostProgress } from '../../parts/lost-progress.tsx'
import { Time } from '../../parts/time.tsx'
import { reloadLists } from '../../records/record-queries.ts'
import { Link } from '../../routing/link.tsx'
import { useParams, useSearch } from '../../routing/use-router.ts'
import { Page } from '../../shell/page.tsx'
import { useScope } from '../../shell/scope.tsx'
import { CancelButton } from './cancel-button.tsx'
import styles from './import-page.module.css'
import { importQuery, reloadImports } from './import-queries.ts'
import { isCancelable, isRevertible, isUnfinished, kindOf, matchWords, nameOf } from './import-words.ts'
import { Outcome } from './outcome.tsx'
import { RefusedRows } from './refused-rows.tsx'
import { RevertDialog } from './revert-dialog.tsx'
import { UnreadableValues } from './unreadable-values.tsx'
import { useMayRevert } from './use-may-revert.ts'

/** One import: how far it is, its result, its refused rows, and its revert. */
export function ImportPage() {
  const scope = useScope()
  const { importId } = useParams('/o/$orgId/imports/$importId')
  const query = useQuery(importQuery(scope, importId))
  const { data: found } = query
  const { orgId } = scope
  const isEnded = found !== undefined && !isUnfinished(found)
  useEffect(() => {
    // The lists of records and of imports have new rows now.
    if (!isEnded || !found) return
    void reloadImports(orgId)
    void reloadLists(kindOf(found), orgId)
  }, [isEnded, found, orgId])
  return (
    <Page
      name="Imports"
      part={found ? nameOf(found) : ''}
      acts={
        <Link {...buttonLook({ kind: 'quiet' })} to="/o/$orgId/imports" params={{ orgId }}>
          All imports
        </Link>
      }
    >
      <Loaded query={query}>
        {(shown) => (
          <Found
            found={shown}
            readAt={query.dataUpdatedAt}
            lost={isUnfinished(shown) && <LostProgress query={query} name="import" />}
          />
        )}
      </Loaded>
    </Page>
  )
}

function Found({ found, readAt, lost }: { found: Import; readAt: number; lost: ReactNode }) {
  const { orgId, can } = useScope()
  const { rows } = useSearch('/o/$orgId/imports/$importId')
  const [asksRevert, setAsksRevert] = useState(false)
  const mayRevert = useMayRevert(found)
  const kind = kindOf(found)
  const { counts, import_id: importId, status, dry_run: isCheck } = found
  const hasRecords = !isCheck && counts.created > 0 && status !== 'reverted'
  // The filter finds records that the import created, and not those that it updated.
  const hasKept = status === 'reverted' && counts.kept > 0 && found.match_on === null
  return (
    <div className={styles.sheet}>
      <div className={styles.block}>
        {lost}
        <Outcome found={found} expected={rows ?? null} readAt={readAt} />
        {hasRecords && !isUnfinished(found) && <UnreadableValues kind={kind} importId={importId} />}
        {isCancelable(found) && can(`${kind.resource}:write`) && <CancelButton found={found} />}
        {!isUnfinished(found) && (
          <div className="rail wrap">
            {(hasRecords || hasKept) && (
              <Link
                {...buttonLook({ kind: 'main' })}
                to={`/o/$orgId${kind.path}` as '/o/$orgId/people'}
                params={{ orgId }}
                search={{ filter: { and: [{ field: 'import_id', op: 'eq', value: importId }] } }}
              >
                View the {hasKept ? 'kept' : 'new'} {kind.many}
              </Link>
            )}
            {isRevertible(found) && mayRevert && (
              <Button onClick={() => setAsksRevert(true)}>Revert import</Button>
            )}
            {status === 'reverted' && can(`${kind.resource}:write`) && (
              <Link
                {...buttonLook({})}
                to="/o/$orgId/imports/new"
                params={{ orgId }}
                search={{ of: kind.resource }}
              >
                Import a file
              </Link>
            )}
          </div>
        )}
        {isRevertible(found) && !mayRevert && (
          <p className="three t12">Your role may not revert imports. An admin or owner can.</p>
        )}
      </div>
      {counts.refused > 0 && <RefusedRows found={found} />}
      <div className={styles.block}>
        <ImportFacts found={found} />
      </div>
      {asksRevert && <RevertDialog found={found} onClose={() => setAsksRevert(false)} />}
    </div>
  )
}

const ImportFacts = ({ found }: { found: Import }) => (
  <Facts>
    <Fact name="By">{actorWords(found.created_by)}</Fact>
    <Fact name="Sent">
      <Time at={found.created_at} />
    </Fact>
    <Fact name="Existing records">
      {found.match_on === null ? 'Not matched' : `Updated by ${matchWords(found.match_on)}`}
    </Fact>
    {found.encoding && <Fact name="Text encoding">{found.encoding}</Fact>}
    <Fact name="Import id" wide>
      <span className="mono">{found.import_id}</span>
    </Fact>
  </Facts>
)
