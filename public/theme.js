// Puts the chosen theme on the page. It blocks the first paint on purpose, so that nobody sees the wrong one,
// and is a file of its own because the Content-Security-Policy allows no script in the page.
{
  const root = document.documentElement
  const browserColours = [...document.querySelectorAll('meta[name="theme-color"]')]
  const ofTheSystem = browserColours.map((meta) => meta.content)

  const show = (theme) => {
    const chosen = theme === 'light' || theme === 'dark' ? theme : undefined
    if (chosen) root.dataset.theme = chosen
    else delete root.dataset.theme
    browserColours.forEach((meta, index) => {
      const wanted = chosen ? browserColours.findIndex((other) => other.media.includes(chosen)) : index
      meta.content = ofTheSystem[wanted]
    })
  }

  const stored = () => {
    try {
      return localStorage.getItem('daymark-theme')
    } catch {
      return null
    }
  }

  show(stored())
  addEventListener('storage', (event) => {
    if (event.key === 'daymark-theme') show(event.newValue)
    if (event.key === null) show(stored())
  })
}
