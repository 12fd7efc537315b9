export * from 'lit';
