import type { ReactNode } from 'react'

/** The head of a settings page, with a sentence about its purpose. */
export const SettingsHead = ({ title, children }: { title: string; children: ReactNode }) => (
  <div className="pad stack g4">
    <h2 className="t16">{title}</h2>
    <p className="two" style={{ maxWidth: 560, overflowWrap: 'anywhere' }}>
      {children}
    </p>
  </div>
)
