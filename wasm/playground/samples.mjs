// The samples of the repository that the page offers: file, what it is.
export const SAMPLES = [
  ['checkout.log', 'Shop checkout log'],
  ['sshd.log', 'Logins over SSH'],
  ['orders.json', 'Orders as JSON'],
  ['gateway.ndjson', 'API gateway, NDJSON'],
  ['traces.log', 'Stack traces'],
  ['app.log', 'Application log'],
  ['invoices.csv', 'Invoices, CSV'],
  ['pods.txt', 'kubectl get pods'],
  ['grep.txt', 'Search hits'],
  ['ls.txt', 'Folder listing'],
  ['references.txt', 'Bibliography (passes through)'],
];
