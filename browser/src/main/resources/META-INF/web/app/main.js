// Logs in by the token in the fragment of the address, which browsers do not send, and starts the page.
import { login } from './api.js';
import './peregrine-app.js';

await login();
const app = document.querySelector('peregrine-app');
app?.setAttribute('ready', '');
