-- No organization reads the salts of days.
call app.keep_from_orgs('tracking_salt');
