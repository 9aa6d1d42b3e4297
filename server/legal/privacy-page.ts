/** `Content-Security-Policy` of the page: text alone. */
export const PRIVACY_PAGE_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

/** What the page tells that only the configuration knows. */
export interface PrivacyFacts {
  /** `legal_contact`: address or name that answers questions. */
  readonly contact?: string
}

/** The privacy page that the GPT editor asks for (spec doors.md §3.5): static HTML without script. */
export function privacyPage(facts: PrivacyFacts): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Privacy</title>
</head>
<body>
<h1>Privacy</h1>
<p>This is a Holdfast server. It runs on a machine of its operator and works on folders of that machine for the agents
that the operator gave a token.</p>
<h2>What is kept, and for how long</h2>
<ul>
<li>Ledgers of Workflow Sessions: which tool ran when, for whom, with which outcome, and the few bounded facts that the
tool's definition names, such as paths and exit codes. Inputs, file texts and command output are not in them. Kept until
the operator erases the data directory.</li>
<li>Output of commands, for the hours that the operator configured (24 unless changed), so that a long command can be read
again.</li>
<li>Answers to calls that came with an Idempotency-Key, for 24 hours, encrypted with a key that only the caller has.</li>
<li>Tokens as hashes, with the time of their last use; revoked and expired ones for 90 days.</li>
<li>Log lines of calls, without inputs, outputs, headers or tokens, wherever the operator sends them.</li>
</ul>
<h2>Where</h2>
<p>In the data directory of the server, on the operator's machine. Nothing goes to third parties: the server calls nobody
by itself. What an agent reads through it goes to that agent's own service.</p>
<h2>How to erase it</h2>
<p>The operator stops the server and deletes the data directory. Nothing of it exists anywhere else.</p>
<h2>Contact</h2>
<p>${facts.contact === undefined ? "The operator of this server, who gave you its address." : escapeHtml(facts.contact)}</p>
</body>
</html>
`
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.codePointAt(0)};`)
}
