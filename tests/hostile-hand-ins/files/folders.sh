# tries: to have the grader read all folders by links
# gets: 0 0 check | is a link
mkdir folders && ln -s / folders/a && ln -s . folders/b
