@rem Windows has no exec: does here what scripts/run, the first word that follows, does elsewhere.
@node scripts\setup.mjs || exit /b 1
@for /f "tokens=1*" %%a in ("%*") do @%%b
