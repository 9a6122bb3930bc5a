// All parts of the console together, for people who change them. In development, Vite serves this page at
// /console/parts.html. It is not in the build, and needs no server.
import '../tokens.css'
import '../base.css'
import { StrictMode, useState } from 'react'
import { createRoot } from 'react-dom/client'
import { Segments } from '../parts/field.tsx'
import { addIcons, Logo } from '../parts/icon.tsx'
import { innerIcons } from '../parts/inner-icons.ts'
import { Toasts } from '../parts/toast.tsx'
import { SettingsHead } from '../shell/settings-head.tsx'
import { Acts } from './acts.tsx'
import { Answers } from './answers.tsx'
import { Basics } from './basics.tsx'
import { Fields } from './fields.tsx'
import { Lists } from './lists.tsx'
import { Overlays } from './overlays.tsx'
import styles from './page.module.css'
import { Plots } from './plots.tsx'
import { Words } from './words.tsx'

addIcons(innerIcons)

const themes = [
  ['', 'As the system'],
  ['light', 'Light'],
  ['dark', 'Dark'],
] as const

function PartsPage() {
  const [theme, setTheme] = useState<(typeof themes)[number][0]>('')
  return (
    <div className={styles.page} data-theme={theme || undefined}>
      <header className={styles.head}>
        <Logo />
        <h1>Parts of the console</h1>
        <span className="end">
          <Segments label="Theme" isLabelHidden value={theme} options={themes} onChange={setTheme} />
        </span>
      </header>
      <main>
        <SettingsHead title="What pages are made of">
          Everything here comes from console/src/parts/. Look at it in both themes and at the width of a
          phone.
        </SettingsHead>
        <Basics />
        <Acts />
        <Fields />
        <Words />
        <Lists />
        <Plots />
        <Answers />
        <Overlays />
      </main>
      <Toasts />
    </div>
  )
}

const root = document.getElementById('root')
if (!root) throw new Error('parts.html has no #root')
createRoot(root).render(
  <StrictMode>
    <PartsPage />
  </StrictMode>,
)
