import { useQuery } from '@tanstack/react-query'
import { Suspense, useEffect, useMemo, useRef, useState } from 'react'
import { apiFor } from '../api/client.ts'
import { allows } from '../api/permissions.ts'
import { sessionQuery } from '../api/session.ts'
import { useOrgNames, useSession } from '../api/use-session.ts'
import { Button } from '../parts/button.tsx'
import { addIcons } from '../parts/icon.tsx'
import { innerIcons } from '../parts/inner-icons.ts'
import { keepFocus } from '../parts/kept-focus.ts'
import { Toasts } from '../parts/toast.tsx'
import { lazyPart } from '../routing/lazy-part.ts'
import { Outlet } from '../routing/provider.tsx'
import { useParams, useSearch } from '../routing/use-router.ts'
import { DemandPlace } from '../sign-in/demand.tsx'
import { type Early, EarlySearch } from './early-search.tsx'
import { Navigation } from './navigation.tsx'
import { NavigationContext, usePhoneNavigation } from './navigation-button.tsx'
import { type Scope, ScopeContext } from './scope.tsx'
import styles from './shell.module.css'
import { useCommandKey } from './use-key.ts'
import { useLeaveGuard } from './use-leave-guard.ts'

addIcons(innerIcons)

const CommandMenu = lazyPart(() => import('./command-menu.tsx'), 'CommandMenu')
const NoAccess = lazyPart(() => import('./no-access.tsx'), 'NoAccess')

const nothingTyped: Early = { text: '', isEntered: false }

/** The frame around the pages of an organization. */
export function Shell() {
  const { orgId } = useParams('/o/$orgId')
  const { mode = 'live' } = useSearch('/o/$orgId')
  // Read the session every minute, to notice a lost role or a cut link.
  useQuery({ ...sessionQuery, refetchInterval: 60_000 })
  const membership = useSession().memberships.find(({ org_id }) => org_id === orgId)
  const orgName = useOrgNames().get(orgId) ?? ''
  const isLimited = (membership?.record_access ?? 'all') !== 'all'
  const api = useMemo(() => apiFor(orgId, mode, { isLimited }), [orgId, mode, isLimited])
  const [sought, setSought] = useState<'all' | 'organizations' | null>(null)
  const early = useRef(nothingTyped)
  const navigation = usePhoneNavigation()
  const main = useRef<HTMLElement>(null)
  useLeaveGuard()
  useEffect(keepFocus, [])
  useCommandKey('k', () => setSought('all'))
  const closeSearch = () => {
    early.current = nothingTyped
    setSought(null)
  }
  const scope = useMemo<Scope | null>(
    () =>
      membership
        ? {
            ...{ orgId, mode, membership, orgName, api },
            can: (permission) => allows(membership.permissions, permission),
          }
        : null,
    [orgId, mode, membership, orgName, api],
  )
  return (
    <>
      {scope ? (
        <ScopeContext value={scope}>
          <NavigationContext value={navigation}>
            <div className={styles.app} data-navigation={navigation.isOpen || undefined}>
              <span className={styles.skip}>
                <Button onClick={() => main.current?.focus()}>Skip to the page</Button>
              </span>
              <Navigation onSearch={setSought} />
              <main className={styles.main} ref={main} tabIndex={-1}>
                {(mode === 'test' || scope.membership.via === 'sandbox') && (
                  <p className={`${styles.test} cut t11 two`} role="note">
                    {scope.membership.via === 'sandbox'
                      ? 'Sandbox: calls, CRM pushes and signature installs are simulated.'
                      : 'Test mode: records are real; calls, CRM pushes and signatures are not.'}
                  </p>
                )}
                {scope.membership.via === 'agency' && (
                  <p className={`${styles.client} cut t11 two`}>{orgName}</p>
                )}
                {/* A page must not keep the values of another organization: it would save them here. */}
                <Outlet key={orgId} />
              </main>
            </div>
          </NavigationContext>
          {sought && (
            <Suspense
              fallback={
                <EarlySearch
                  onType={(next) => {
                    early.current = next
                  }}
                  onClose={closeSearch}
                />
              }
            >
              <CommandMenu about={sought} early={early} onClose={closeSearch} />
            </Suspense>
          )}
        </ScopeContext>
      ) : (
        <Suspense>
          <NoAccess orgId={orgId} />
        </Suspense>
      )}
      <DemandPlace />
      <Toasts />
    </>
  )
}
