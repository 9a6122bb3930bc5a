import { useEffect, useRef, useState } from 'react'
import { Link } from '../../routing/link.tsx'
import { Outlet } from '../../routing/provider.tsx'
import { usePlace } from '../../routing/use-router.ts'
import { Page } from '../../shell/page.tsx'
import { isOffered, settingsPages } from '../../shell/pages.ts'
import { useScope } from '../../shell/scope.tsx'
import { ActionsContext } from '../../shell/settings-actions.tsx'
import styles from './frame.module.css'

/** The pages of the settings, with the list of them at the left. */
export function SettingsFrame() {
  const scope = useScope()
  const { orgId } = scope
  const { pathname } = usePlace()
  const [acts, setActs] = useState<HTMLElement | null>(null)
  const part = settingsPages.find(({ path }) => `${pathname}/`.includes(`${path}/`))?.name ?? ''
  const list = useRef<HTMLElement>(null)
  // In a narrow window the list scrolls sideways: the page that is shown must be in it, even after the window became narrow.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each page
  useEffect(() => {
    const show = () =>
      list.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'center' })
    show()
    const narrow = matchMedia('(width <= 1100px)')
    narrow.addEventListener('change', show)
    return () => narrow.removeEventListener('change', show)
  }, [pathname])
  return (
    <Page name="Settings" part={part} acts={<div className="rail" ref={setActs} />}>
      <div className={styles.columns}>
        <nav ref={list} className={styles.parts} aria-label="Settings">
          {settingsPages
            .filter((page) => isOffered(page, scope))
            .map(({ name, path }) => (
              <Link key={path} to={`/o/$orgId${path}` as '/o/$orgId'} params={{ orgId }} marks="below">
                {name}
              </Link>
            ))}
        </nav>
        <div className={styles.content}>
          <ActionsContext value={acts}>
            <Outlet />
          </ActionsContext>
        </div>
      </div>
    </Page>
  )
}
