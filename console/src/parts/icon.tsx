import type { innerIcons } from './inner-icons.ts'

const firstIcons = {
  alert: 'M8 2.2 14.5 13.5h-13zM8 6.5v3M8 11.6h.01',
  globe: 'M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12zM2 8h12M8 2c4 4 4 8 0 12M8 2C4 6 4 10 8 14',
  info: 'M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12zM8 7.5V11M8 5h.01',
  passkey:
    'M3.2 11.5C3 9 3.3 3.5 8 3.5c3.7 0 5 3 4.8 6.5M5.5 13.5C5.2 11 5 6.2 8 6.2c2.5 0 2.7 3 2.4 6.3M8 9v5M4.5 2.9A6.5 6.5 0 0 1 11.5 3',
} as const

export type IconName = keyof typeof firstIcons | keyof typeof innerIcons

const paths: Partial<Record<IconName, string>> = { ...firstIcons }

/** Adds the pictures that a part of the console loads after the first page. */
export const addIcons = (icons: Partial<Record<IconName, string>>): void => void Object.assign(paths, icons)

/** The names of all pictures that were added until now. */
export const iconNames = (): IconName[] => Object.keys(paths) as IconName[]

/** A picture of 16 px. Screen readers ignore it: the text beside it has its meaning. */
export const Icon = ({ name, size = 16 }: { name: IconName; size?: 14 | 16 | 20 }) => (
  <svg
    width={size}
    height={size}
    viewBox="0 0 16 16"
    fill="none"
    stroke="currentColor"
    strokeWidth={1.5}
    strokeLinecap="round"
    strokeLinejoin="round"
    aria-hidden="true"
  >
    <path d={paths[name]} />
  </svg>
)

/** A half-filled ring, for work that is running. */
export const RunningIcon = ({ size = 14 }: { size?: 14 | 16 }) => (
  <svg width={size} height={size} viewBox="0 0 16 16" aria-hidden="true">
    <path d={paths.ring} fill="none" stroke="currentColor" strokeWidth={1.5} />
    <path d="M8 5a3 3 0 0 1 0 6z" fill="currentColor" />
  </svg>
)

/** The logo of Crosswalk: three stripes. */
export const Logo = () => (
  <svg width={20} height={18} viewBox="0 0 20 18" fill="currentColor" aria-hidden="true">
    <path d="M.5 16 4.8 2h3L3.5 16zM6.7 16 11 2h3L9.7 16zM12.9 16 17.2 2H20l-4.3 14z" />
  </svg>
)
