import './tokens.css'
import './base.css'
import { QueryClientProvider } from '@tanstack/react-query'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { queries } from './api/session.ts'
import { router } from './pages.tsx'
import { leaveComposedKeys } from './parts/input-method.ts'
import { RouterProvider } from './routing/provider.tsx'

leaveComposedKeys()
const root = document.getElementById('root')
if (!root) throw new Error('index.html has no #root')
createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={queries}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  </StrictMode>,
)
