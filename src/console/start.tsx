/** Starts the console: theme, router and session first, then the page. */
import { render } from 'preact'
import { App } from './app.tsx'
import { startFaults } from './faults.ts'
import { startRouter } from './router.ts'
import { openSession } from './session.ts'
import { startTheme } from './theme.ts'

startFaults()
startTheme()
startRouter()
void openSession()
render(<App />, document.getElementById('console') as HTMLElement)
