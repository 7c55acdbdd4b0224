<?php
defined( 'WP_UNINSTALL_PLUGIN' ) || exit;

delete_option( 'sign_elements' );
delete_option( 'sign_elements_key' );
